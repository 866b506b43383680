/** Tokens of runs, and secrets at rest: both under the one key that the plane is started with. */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Whose request it is. */
export interface RunToken {
  readonly runId: string;
  readonly agentId: string;
}

/** A token for one run. It has no end of its own: it is worth nothing once its run is over. */
export function signRunToken(key: string, token: RunToken): string {
  const claims = Buffer.from(JSON.stringify(token)).toString('base64url');
  return `${claims}.${signature(key, claims)}`;
}

/** Null when this key did not sign it. */
export function readRunToken(key: string, text: string): RunToken | null {
  const [claims = '', signed = ''] = text.split('.');
  const [given, right] = [Buffer.from(signed), Buffer.from(signature(key, claims))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as RunToken;
}

/** AES-256-GCM: what was changed on the way does not open. */
export function encrypt(key: string, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', cipherKey(key), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Throws an Error for what another key sealed. */
export function decrypt(key: string, material: string): string {
  const bytes = Buffer.from(material, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', cipherKey(key), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

function signature(key: string, claims: string): string {
  return createHmac('sha256', `token ${key}`).update(claims).digest('base64url');
}

function cipherKey(key: string): Buffer {
  return createHash('sha256').update(`secret ${key}`).digest();
}
