type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }
type Maybe<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> }

/** Drops the fields that are undefined: for an exact optional type `undefined` is not "absent". */
export function defined<T extends object>(fields: T): Given<T> & Maybe<T> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as Given<T> & Maybe<T>
}
