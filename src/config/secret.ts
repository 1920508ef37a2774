/**
 * A value that must never be printed. It serialises to `{}` and prints as `[secret]`, so a config
 * object can be logged whole; only the adapter that needs the value calls `reveal`.
 */
export interface Secret {
  reveal(): string
  toString(): string
}

export function secret(value: string): Secret {
  return Object.defineProperties({} as Secret, {
    reveal: { value: () => value },
    toString: { value: () => "[secret]" },
  })
}
