/** Tree of mrkdwn values, separate from their rendering. */
export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "emoji"; readonly name: string }
  | { readonly kind: "bold" | "italic" | "strike" | "code"; readonly children: readonly Inline[] }
  | { readonly kind: "link"; readonly url: string; readonly children: readonly Inline[] }
  | { readonly kind: "user"; readonly id: string }
  | { readonly kind: "channel"; readonly id: string; readonly label: string | undefined }
  /** Token that Slack takes for a link although it isn't one; usually a `<` that wasn't escaped. */
  | { readonly kind: "mistaken"; readonly text: string }
  /** Mention of many people at once. */
  | { readonly kind: "broadcast"; readonly label: string }
  | {
      readonly kind: "date"
      /** Time in epoch seconds. */
      readonly at: number
      readonly format: string
      readonly fallback: string
    }
  | { readonly kind: "break" }

export type Chunk =
  | { readonly kind: "lines"; readonly children: readonly Inline[] }
  | { readonly kind: "quote"; readonly children: readonly Inline[] }
  | { readonly kind: "pre"; readonly children: readonly Inline[] }
