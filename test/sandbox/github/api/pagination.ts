import { json, type Reply } from "../../kit/reply.ts"

/** Returns one page: "The number of results per page (max 100)", 30 by default, and `link`. */
export function paged(rows: readonly unknown[], query: URLSearchParams, url: string): Reply {
  const size = Math.min(100, Math.max(1, Number(query.get("per_page") ?? 30) || 30))
  const page = Math.max(1, Number(query.get("page") ?? 1) || 1)
  const last = Math.max(1, Math.ceil(rows.length / size))
  const shown = rows.slice((page - 1) * size, page * size)
  const link = (to: number, rel: string) => `<${url}?per_page=${size}&page=${to}>; rel="${rel}"`
  const links = page < last ? [link(page + 1, "next"), link(last, "last")] : []
  return json(200, shown, links.length > 0 ? { link: links.join(", ") } : {})
}
