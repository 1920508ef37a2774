import { WebAPIPlatformError, type WebClient } from "@slack/web-api"
import { z } from "zod"

const object = z.record(z.string(), z.unknown())

export const checkedShape = z.array(
  z.union([
    z.strictObject({ name: z.string(), message: object }),
    z.strictObject({ name: z.string(), view: object }),
  ]),
)
export type Checked = z.infer<typeof checkedShape>[number]

const faults = z.object({
  errors: z.array(z.object({ pointer: z.string(), message: z.string() })).min(1),
})

/** Asks Slack about one message or view. Resolves to its faults; waits while Slack limits calls. */
export async function check(client: WebClient, checked: Checked): Promise<string[]> {
  const { name: _, ...payload } = checked
  try {
    await client.apiCall("blocks.validate", payload)
    return []
  } catch (error) {
    const found = error instanceof WebAPIPlatformError ? faults.safeParse(error.data) : undefined
    if (!found?.success) throw error
    return found.data.errors.map(({ pointer, message }) => `${message} at ${pointer}`)
  }
}
