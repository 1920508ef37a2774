import type { Block, HomeView, KnownBlock, ModalView } from "@slack/types"

/** A message for Slack. `text` has the full meaning, for notifications and screen readers. */
export interface Message {
  text: string
  blocks: MessageBlock[]
}

/** Blocks that the compiler checks: `Block` of `@slack/types` would let any other through. */
export type MessageBlock = KnownBlock | ChartBlock

/** Chart of the data-visualization block, which `@slack/types` lacks. */
export interface ChartBlock extends Block {
  type: "data_visualization"
  title: string
  chart: {
    type: "line" | "bar"
    series: { name: string; data: { label: string; value: number }[] }[]
    axis_config: { categories: string[]; x_label?: string; y_label?: string }
  }
}

export type Home = HomeView & { blocks: MessageBlock[] }
export type Modal = ModalView & { blocks: KnownBlock[] }
