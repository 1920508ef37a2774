import { isObject, stringIn } from "../../kit/json.ts"
import { ScrollableGroup } from "../shell/scrollable.tsx"
import type { BlockProps } from "./blocks.tsx"
import { Cell, isNumber, rowsOf } from "./cells.tsx"

/** Renders a table whose first row is the header, as in Slack. */
export function Table({ block }: BlockProps) {
  const [head = [], ...body] = rowsOf(block.rows)
  const columns = Array.isArray(block.column_settings) ? block.column_settings : []
  const classOf = (index: number) => {
    const column = columns[index]
    const settings = isObject(column) ? column : {}
    const align = stringIn(settings, "align") ?? (isNumber(body[0]?.[index]) ? "right" : "left")
    return `align-${align}${settings.is_wrapped === true ? "" : " no-wrap"}`
  }
  return (
    <ScrollableGroup class="table-scroll" aria-label="Table">
      <table>
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
              {row.map((cell, index) => (
                <td key={index} class={classOf(index)}>
                  <Cell cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollableGroup>
  )
}
