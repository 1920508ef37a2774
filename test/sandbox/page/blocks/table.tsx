import { useId } from "preact/hooks"
import { isObject, type Json, stringIn } from "../../kit/json.ts"
import { Scrollable } from "../shell/scrollable.tsx"
import type { BlockProps } from "./blocks.tsx"
import { CannotRender } from "./cannot-render.tsx"

interface TableProps extends BlockProps {
  /** Name for people who can't see it, if it has no caption. */
  readonly label?: string
}

/** Renders a table or data table, whose first row is the header, as in Slack. */
export function Table({ block, label = "Table" }: TableProps) {
  const captionId = useId()
  const caption = stringIn(block, "caption")
  const [head = [], ...body] = rowsOf(block.rows)
  const classOf = (index: number) =>
    `align-${isNumber(body[0]?.[index]) ? "right" : "left"}${caption ? "" : " no-wrap"}`
  return (
    <Scrollable
      class="table-scroll"
      role="group"
      {...(caption ? { "aria-labelledby": captionId } : { "aria-label": label })}
    >
      <table>
        {caption ? <caption id={captionId}>{caption}</caption> : null}
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col" class={classOf(index)}>
                <Cell cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, number) => (
            <tr key={number}>
              {row.map((cell, index) => {
                const isHeader = index === block.row_header_column_index
                const Part = isHeader ? "th" : "td"
                return (
                  <Part key={index} scope={isHeader ? "row" : undefined} class={classOf(index)}>
                    <Cell cell={cell} />
                  </Part>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  )
}

function Cell({ cell }: { cell: Json }) {
  if (!isObject(cell)) return null
  if (cell.type === "raw_text" || cell.type === "raw_number") return <>{stringIn(cell, "text")}</>
  return <CannotRender what={stringIn(cell, "type") ?? ""} />
}

/** Returns the rows of cells, without values that aren't arrays. */
function rowsOf(rows: Json | undefined): Json[][] {
  return Array.isArray(rows) ? rows.filter((row) => Array.isArray(row)) : []
}

function isNumber(cell: Json | undefined): boolean {
  return isObject(cell) && cell.type === "raw_number"
}
