import type { Block, HomeView, KnownBlock, ModalView } from "@slack/types"

/** A message for Slack. `text` has the full meaning, for notifications and screen readers. */
export interface Message {
  text: string
  blocks: (KnownBlock | Block)[]
}

export type { HomeView as Home, ModalView as Modal }
