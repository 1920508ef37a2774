type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }
type Maybe<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> }

/** Drops undefined fields, which comparisons, query strings and Redis would not take for absent. */
export function defined<T extends object>(fields: T): Given<T> & Maybe<T> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as Given<T> & Maybe<T>
}
