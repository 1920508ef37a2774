import { z } from "zod"
import type { Message } from "../../../src/ports/message.ts"
import { adminNotice } from "../../../src/views/admin-notice.ts"
import { jobCard } from "../../../src/views/card.ts"
import { closingReply } from "../../../src/views/endings.ts"
import { aJob } from "../../helpers/job.ts"

const words = z.object({ text: z.string() })
const button = z.object({
  confirm: z.object({ title: words, text: words, confirm: words, deny: words }),
})
const row = z.object({ elements: z.array(z.unknown()) })

/** The question of the first button that asks one, as a person reads it. */
function question({ blocks }: Message): string {
  const elements = blocks.flatMap((block) => row.safeParse(block).data?.elements ?? [])
  const [first] = elements.flatMap((element) => button.safeParse(element).data ?? [])
  if (!first) throw new Error("No button of this message asks anything")
  const { title, text, confirm, deny } = first.confirm
  return `*${title.text}*\n${text.text}\n[${deny.text}] [${confirm.text}]`
}

/** What a button asks before it acts. */
export const ASKED_FIRST: Readonly<Record<string, string>> = {
  cancel: question(jobCard(aJob({ state: "queued" }), undefined)),
  "try again": question(closingReply({ ...aJob({ state: "ended" }), ending: "failed" })),
  "run again": question(closingReply({ ...aJob({ state: "ended" }), ending: "unknown" })),
  resume: question(adminNotice({ project: "docs-site", kind: "key_refused", since: 0 })),
}
