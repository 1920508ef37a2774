import type { Block, HomeView, KnownBlock, ModalView } from "@slack/types"

/** A message as Slack takes it: `text` carries the full meaning for notifications and screen readers. */
export interface Message {
  text: string
  blocks: (KnownBlock | Block)[]
}

export type Modal = ModalView
export type Home = HomeView

/** One of a kind of what the bot sends, with made-up words in it. */
export type Sample = {
  kind: string
  /** Where it is refused, something simpler takes its place. */
  hasFallback?: boolean
} & ({ message: Message } | { view: Modal | Home })
