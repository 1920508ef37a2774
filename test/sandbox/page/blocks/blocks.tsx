import type { FunctionComponent } from "preact"
import { type JsonObject, typeOf } from "../../slack/json.ts"
import { later } from "../later/later.tsx"
import { CannotRender } from "./cannot-render.tsx"
import { Guarded } from "./guarded.tsx"
import { Actions, Context, Divider, Header, ImageBlock, Section } from "./layout-blocks.tsx"
import { RichText } from "./rich-text.tsx"

export interface BlockProps {
  readonly block: JsonObject
}

/** Every block this page knows: what people and cards say at once, the rest later. */
const RENDERERS: Readonly<Record<string, FunctionComponent<BlockProps>>> = {
  section: Section,
  header: Header,
  context: Context,
  divider: Divider,
  actions: Actions,
  image: ImageBlock,
  input: later((parts) => parts.InputBlock),
  rich_text: RichText,
  table: later((parts) => parts.Table),
  data_table: later((parts) => parts.DataTable),
  data_visualization: later((parts) => parts.Chart),
}

export function Blocks({ blocks }: { blocks: readonly JsonObject[] }) {
  return (
    <div class="blocks">
      {blocks.map((block, index) => {
        const type = typeOf(block)
        const Renderer = Object.hasOwn(RENDERERS, type) ? RENDERERS[type] : undefined
        // Not by block id: Slack gives an edited message new ones, and focus must survive an edit.
        const key = `${index} ${type}`
        return Renderer ? (
          <Guarded key={key}>
            <Renderer block={block} />
          </Guarded>
        ) : (
          <CannotRender key={key} what={type} />
        )
      })}
    </div>
  )
}
