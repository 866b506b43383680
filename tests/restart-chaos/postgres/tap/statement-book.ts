/** The prepared statements and portals of one connection, by name, as the server has them. */
import type { BindBody, ParseBody } from './bodies.ts';
import { unwatched, type BoundStatement } from './bound-statement.ts';
import { BoundedMap } from './bounded-map.ts';
import { readStatements } from './sql-statement.ts';
import type { StatementShape } from './statement-shape.ts';

// All in characters of SQL or of values. The published plane uses about 600 texts of 1 KB; the bounds are for clients
// that never repeat a text and never close what they prepare.
const mostTextWeight = 16_000_000;
const mostStatementWeight = 8_000_000;
const mostPortalWeight = 2_000_000;
const entryWeight = 100;
// The server's own limit (NAMEDATALEN): longer names are cut.
const longestName = 63;

/** Shapes by text, shared by all connections: a text is read once. */
export class ShapeCache {
  readonly #shapes = new BoundedMap<string, readonly StatementShape[]>(mostTextWeight);

  /** The statements of a text. */
  read(text: string): readonly StatementShape[] {
    const known = this.#shapes.get(text);
    if (known !== undefined) return known;
    const shapes = readStatements(text);
    this.#shapes.set(text, shapes, text.length + entryWeight);
    return shapes;
  }
}

const other: StatementShape = { kind: 'other' };

/** Names of one connection. A name that was never defined, or was forgotten, stands for a statement nobody watches. */
export class StatementBook {
  readonly #cache: ShapeCache;
  readonly #statements = new BoundedMap<string, StatementShape>(mostStatementWeight);
  readonly #portals = new BoundedMap<string, BoundStatement>(mostPortalWeight);

  constructor(cache: ShapeCache) {
    this.#cache = cache;
  }

  /** Parse. */
  prepare({ statement, text }: ParseBody): void {
    const shape = this.#cache.read(text)[0] ?? other;
    const weight = entryWeight + (shape.kind === 'write' ? text.length : 0);
    this.#statements.set(keyOf(statement), shape, weight);
  }

  /** Whether the values of a statement are worth reading. */
  isWrite(statement: string): boolean {
    return this.#statements.get(keyOf(statement))?.kind === 'write';
  }

  /** Bind. */
  bind({ portal, statement, parameters, textResults }: BindBody): void {
    const shape = this.#statements.get(keyOf(statement));
    const bound = shape === undefined || shape.kind === 'other' ? unwatched : { shape, parameters, textResults };
    const values = parameters.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    this.#portals.set(keyOf(portal), bound, entryWeight + values);
  }

  /** Execute. */
  portal(name: string): BoundStatement {
    return this.#portals.get(keyOf(name)) ?? unwatched;
  }

  /** Query: all statements of the text. */
  query(text: string): readonly BoundStatement[] {
    return this.#cache.read(text).map((shape) => ({ shape, parameters: [], textResults: true }));
  }

  /** Close. */
  close(what: 'statement' | 'portal', name: string): void {
    if (what === 'statement') this.#statements.delete(keyOf(name));
    else this.#portals.delete(keyOf(name));
  }
}

function keyOf(name: string): string {
  return name.length <= longestName ? name : name.slice(0, longestName);
}
