/** mrkdwn as a tree of values: what is shown is decided here, how it looks elsewhere. */
export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "emoji"; readonly name: string }
  | { readonly kind: "bold" | "italic" | "strike" | "code"; readonly children: readonly Inline[] }
  | { readonly kind: "link"; readonly url: string; readonly children: readonly Inline[] }
  | { readonly kind: "user"; readonly id: string }
  | { readonly kind: "channel"; readonly id: string; readonly label: string | undefined }
  /** `<…>` that Slack takes for a link although it is none: mostly a `<` that was not escaped. */
  | { readonly kind: "mistaken"; readonly text: string }
  /** Calls many people at once. */
  | { readonly kind: "broadcast"; readonly label: string }
  | {
      readonly kind: "date"
      /** Seconds since 1970. */
      readonly at: number
      readonly format: string
      readonly url: string | undefined
      readonly fallback: string
    }
  | { readonly kind: "break" }

export type Chunk =
  | { readonly kind: "lines"; readonly children: readonly Inline[] }
  | { readonly kind: "quote"; readonly children: readonly Inline[] }
  | { readonly kind: "pre"; readonly children: readonly Inline[] }
