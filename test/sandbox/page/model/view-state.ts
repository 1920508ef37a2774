export interface ViewState {
  readonly me: string
  readonly place: Place
  readonly thread: string | undefined
  /** Message that a link led to; a new object each time a link is followed. */
  readonly shown: { readonly ts: string } | undefined
}

export type Place = { readonly kind: "channel"; readonly id: string } | { readonly kind: "home" }

/** Parts that change with the channel, to which the open thread belongs. */
export const CLOSED = { thread: undefined, shown: undefined } as const

export function toHash({ me, place, thread }: Pick<ViewState, "me" | "place" | "thread">): string {
  const where = place.kind === "home" ? "home" : place.id
  return `#/${[me, where, ...(thread ? [thread] : [])].map(encodeURIComponent).join("/")}`
}

export function fromHash(hash: string): { me?: string; place?: Place; thread?: string } {
  const [, me, where, thread] = hash.split("/").map(decodeURIComponent)
  if (!me || !where) return {}
  const place: Place = where === "home" ? { kind: "home" } : { kind: "channel", id: where }
  return { me, place, ...(thread ? { thread } : {}) }
}
