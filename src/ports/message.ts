import type { Block, HomeView, KnownBlock, ModalView } from "@slack/types"

/** A message as Slack takes it: `text` carries the full meaning for notifications and screen readers. */
export interface Message {
  text: string
  blocks: (KnownBlock | Block)[]
}

export type Modal = ModalView
export type Home = HomeView
