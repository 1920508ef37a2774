import { useId, useState } from "preact/hooks"
import { type Json, stringIn } from "../../kit/json.ts"
import { ScrollableGroup } from "../shell/scrollable.tsx"
import type { BlockProps } from "./blocks.tsx"
import { Cell, isNumber, rowsOf, sortKey } from "./cells.tsx"

interface Order {
  readonly column: number
  readonly descending: boolean
}

/** Default number of rows per page, as in Slack. */
const PAGE_SIZE = 5

/** Renders a table that the reader can sort and page through without notifying the bot. */
export function DataTable({ block }: BlockProps) {
  const [order, setOrder] = useState<Order | undefined>()
  const [page, setPage] = useState(0)
  const captionId = useId()
  const [head = [], ...body] = rowsOf(block.rows)
  const size = typeof block.page_size === "number" ? block.page_size : PAGE_SIZE
  const pages = Math.max(1, Math.ceil(body.length / size))
  const at = Math.min(page, pages - 1)
  const rows = sorted(body, order).slice(at * size, (at + 1) * size)
  const sortBy = (column: number) => {
    setPage(0)
    setOrder((before) => nextOrder(before, column, isNumber(body[0]?.[column])))
  }
  return (
    <div class="data-table">
      <ScrollableGroup class="table-scroll" aria-labelledby={captionId}>
        <table>
          <caption id={captionId}>{stringIn(block, "caption")}</caption>
          <thead>
            <tr>
              {head.map((cell, index) => (
                <HeadCell
                  key={index}
                  cell={cell}
                  numeric={isNumber(body[0]?.[index])}
                  order={order?.column === index ? order : undefined}
                  onSort={() => sortBy(index)}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, number) => (
              <Row key={number} row={row} header={block.row_header_column_index} />
            ))}
          </tbody>
        </table>
      </ScrollableGroup>
      {pages > 1 ? <Pager at={at} pages={pages} rows={body.length} go={setPage} /> : null}
    </div>
  )
}

function HeadCell(props: {
  cell: Json
  numeric: boolean
  order: Order | undefined
  onSort: () => void
}) {
  const { cell, numeric, order, onSort } = props
  const sort = order === undefined ? "none" : order.descending ? "descending" : "ascending"
  return (
    <th scope="col" aria-sort={sort} class={numeric ? "align-right" : "align-left"}>
      <button type="button" class="sort" onClick={onSort}>
        <Cell cell={cell} />
        <span class={`sort-arrow sort-${sort}`} aria-hidden="true" />
      </button>
    </th>
  )
}

function Row({ row, header }: { row: readonly Json[]; header: Json | undefined }) {
  return (
    <tr>
      {row.map((cell, index) => {
        const align = isNumber(cell) ? "align-right" : "align-left"
        return index === header ? (
          <th key={index} scope="row" class={align}>
            <Cell cell={cell} />
          </th>
        ) : (
          <td key={index} class={align}>
            <Cell cell={cell} />
          </td>
        )
      })}
    </tr>
  )
}

function Pager(props: { at: number; pages: number; rows: number; go: (page: number) => void }) {
  const { at, pages, rows, go } = props
  return (
    <div class="pager">
      <button type="button" class="button" disabled={at === 0} onClick={() => go(at - 1)}>
        Previous rows
      </button>
      <span aria-live="polite">
        Page {at + 1} of {pages}, {rows} rows
      </span>
      <button type="button" class="button" disabled={at === pages - 1} onClick={() => go(at + 1)}>
        Next rows
      </button>
    </div>
  )
}

/** Returns the next order. Numbers start descending, text ascending; a third click resets it. */
function nextOrder(before: Order | undefined, column: number, numeric: boolean): Order | undefined {
  if (before?.column !== column) return { column, descending: numeric }
  return before.descending === numeric ? { column, descending: !numeric } : undefined
}

function sorted(rows: readonly Json[][], order: Order | undefined): readonly Json[][] {
  if (order === undefined) return rows
  const { column, descending } = order
  return rows.toSorted((a, b) => {
    const [one, other] = [sortKey(a[column]), sortKey(b[column])]
    const ascending =
      typeof one === "number" && typeof other === "number"
        ? one - other
        : String(one).localeCompare(String(other))
    return descending ? -ascending : ascending
  })
}
