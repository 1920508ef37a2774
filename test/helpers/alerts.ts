import type { Plant } from "../sandbox/docs-service/settings.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"
import { said, useVisitors, type VisitorsBed } from "./visitors.ts"
import { wordsIn } from "./visitors-blocks.ts"

/** Returns what `useVisitors` does, and `watching` for a channel that watches its traffic. */
export function useAlerts() {
  const visitors = useVisitors()

  /** Subscribes a channel to alerts on a site with the given unusual days. */
  async function watching(words: string, ...plants: Plant[]) {
    const h = await visitors.bed({ docs: { visitors: { plants } } })
    await h.slack.as(ADA).slash(DOCS, "/docs-visitors", `alert ${words}`)
    await h.slack.until(() => said(h).length > 0)
    return h
  }
  return { ...visitors, watching }
}

export const alerts = (h: VisitorsBed) =>
  said(h).filter((one) => wordsIn(one).includes("alert_report"))
export const alertTexts = (h: VisitorsBed) => alerts(h).map(({ text }) => text)
