/** The extraction alone, as a program that can be measured: directory, then file, digest and size of each layer, bottom first. */
import { extractImage } from '../../tests/restart-chaos/daytona/extract-image.ts';
import { imageLimits } from '../../tests/restart-chaos/daytona/limits.ts';

const [directory = '', ...rest] = process.argv.slice(2);
const layers = Array.from({ length: rest.length / 3 }, (_, index) => {
  const [file = '', digest = '', bytes = ''] = rest.slice(index * 3, index * 3 + 3);
  return { file, digest, bytes: Number(bytes) };
});
await extractImage({ layers, directory, limits: imageLimits });
