/** A map that forgets its oldest entries when it becomes too heavy: what a client names is no reason to grow for ever. */
export class BoundedMap<Key, Value> {
  readonly #limit: number;
  readonly #entries = new Map<Key, { readonly value: Value; readonly weight: number }>();
  #weight = 0;

  /** `limit`: the sum of all weights, in the caller's own unit. One entry is always kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get weight(): number {
    return this.#weight;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: Key, value: Value, weight: number): void {
    this.delete(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    if (this.#weight > this.#limit) this.#forgetOldest();
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }

  #forgetOldest(): void {
    for (const key of this.#entries.keys()) {
      if (this.#weight <= this.#limit || this.#entries.size === 1) return;
      this.delete(key);
    }
  }
}
