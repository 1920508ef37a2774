export interface ViewState {
  readonly me: string
  readonly place: Place
  readonly thread: string | undefined
  /** Message that a link led to; a new object each time a link is followed. */
  readonly shown: { readonly ts: string } | undefined
  readonly drawer: boolean
}

export type Place = { readonly kind: "channel"; readonly id: string } | { readonly kind: "home" }

export type ViewAction =
  | { readonly do: "act_as"; readonly user: string; readonly place: Place }
  | { readonly do: "go"; readonly place: Place }
  | { readonly do: "open_thread"; readonly ts: string }
  | {
      readonly do: "show_message"
      readonly channel: string
      readonly ts: string
      readonly thread: string | undefined
    }
  | { readonly do: "close_thread" }
  | { readonly do: "drawer"; readonly open: boolean }

export function reduceView(state: ViewState, action: ViewAction): ViewState {
  switch (action.do) {
    case "act_as":
      return { ...closed(state), me: action.user, place: action.place }
    case "go":
      return { ...closed(state), place: action.place }
    case "open_thread":
      return { ...state, thread: action.ts, shown: undefined }
    case "show_message":
      return {
        ...closed(state),
        place: { kind: "channel", id: action.channel },
        shown: { ts: action.ts },
        ...(action.thread ? { thread: action.thread } : {}),
      }
    case "close_thread":
      return { ...state, thread: undefined, drawer: false }
    case "drawer":
      return { ...state, drawer: action.open }
  }
}

/** Closes the thread, which belongs to the channel being left. */
function closed(state: ViewState): ViewState {
  return { ...state, thread: undefined, shown: undefined, drawer: false }
}

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
