/** The one way to say that an image cannot be used: its bytes are not what they claim, or ask for what is not done. */
import { HarnessError } from '../model/errors.ts';

/** Says what is wrong with which part of the image. Everything that was written for it is removed by the caller. */
export function refuseImage(message: string, cause?: unknown): never {
  throw new HarnessError('image-refused', message, { cause });
}
