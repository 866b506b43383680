/** How a program on this machine reaches a server of ours. */
import { join } from 'node:path';

/**
 * Writes through a socket file cost the tap a tenth less than through a loopback port (doc/benches.md). Where its path would
 * be too long for the system there is none, and the port is the way.
 */
export type DatabaseAddress = { readonly socketFile: string } | { readonly port: number };

// The kernel's limit is 108 bytes on Linux and 104 on macOS, with the end of the string in them.
const longestPath = 100;

/** The address of the server on this data directory and port. Its socket file lies in the directory, which only it and root may enter. */
export function addressOf(dataDirectory: string, port: number): DatabaseAddress {
  const socketFile = join(dataDirectory, `.s.PGSQL.${port}`);
  return Buffer.byteLength(socketFile) <= longestPath ? { socketFile } : { port };
}
