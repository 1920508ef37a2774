import type { Model } from "../model/model.ts"

/** Ids of people and channels by their names, as nobody knows ids by heart. */
export function withNames(text: string, { users, channels }: Model): string {
  return text
    .replaceAll(/<?@?\b(U[0-9A-Z]{6,})\b>?/g, (all, id: string) => {
      const name = users.get(id)?.name
      return name === undefined ? all : `@${name}`
    })
    .replaceAll(/\b([CD][0-9A-Z]{6,})\b/g, (all, id: string) => {
      const channel = channels.get(id)
      if (channel === undefined) return all
      return channel.kind === "im" ? "direct message" : `#${channel.name}`
    })
}
