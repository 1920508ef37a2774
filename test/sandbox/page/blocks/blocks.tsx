import type { FunctionComponent } from "preact"
import { type JsonObject, typeOf } from "../../kit/json.ts"
import { Chart } from "../charts/chart.tsx"
import { CannotRender } from "./cannot-render.tsx"
import { InputBlock } from "./input-block.tsx"
import { Actions, Context, Divider, Header, Section } from "./layout-blocks.tsx"
import { RichText } from "./rich-text.tsx"
import { Table } from "./table.tsx"

export interface BlockProps {
  readonly block: JsonObject
}

const RENDERERS: Readonly<Record<string, FunctionComponent<BlockProps>>> = {
  section: Section,
  header: Header,
  context: Context,
  divider: Divider,
  actions: Actions,
  input: InputBlock,
  rich_text: RichText,
  table: Table,
  data_table: Table,
  data_visualization: Chart,
}

export function Blocks({ blocks }: { blocks: readonly JsonObject[] }) {
  return (
    <div class="blocks">
      {blocks.map((block, index) => {
        const type = typeOf(block)
        const Renderer = Object.hasOwn(RENDERERS, type) ? RENDERERS[type] : undefined
        // Not the block id: Slack changes it in an edited message, and focus must survive edits.
        const key = `${index} ${type}`
        return Renderer ? (
          <Renderer key={key} block={block} />
        ) : (
          <CannotRender key={key} what={type} />
        )
      })}
    </div>
  )
}
