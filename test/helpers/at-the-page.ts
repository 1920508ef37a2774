import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { Locator, Page } from "playwright-core"
import { z } from "zod"

export function conversation(page: Page): Locator {
  return page.getByRole("region", { name: "Conversation" })
}

export async function say(page: Page, text: string): Promise<void> {
  const composer = conversation(page).getByRole("textbox", { name: /^Message / })
  await composer.fill(text)
  await composer.press("Enter")
}

export async function reply(page: Page, text: string): Promise<void> {
  const composer = page.getByRole("textbox", { name: "Reply…" })
  await composer.fill(text)
  await composer.press("Enter")
}

export async function actAs(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^${name}`) }).click()
}

/** Opens a place by the name it begins with, so not the group message that also has the app in it. */
export async function goTo(page: Page, channel: string): Promise<void> {
  const places = page.getByRole("navigation", { name: "Channels" })
  await places.getByRole("button", { name: new RegExp(`(^|[^,]\\s)${channel}`) }).click()
}

export function messages(page: Page, says: string | RegExp): Locator {
  return conversation(page).getByRole("article").filter({ hasText: says })
}

export function replies(page: Page, says: string | RegExp): Locator {
  return page.getByRole("log", { name: "Thread" }).getByRole("article").filter({ hasText: says })
}

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js")

const findings = z.array(
  z.object({
    id: z.string(),
    impact: z.string().nullable(),
    help: z.string(),
    nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
  }),
)

/** Returns axe's findings. Evaluates axe because the page's policy forbids adding scripts. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, "utf8"))
  const result = await page.evaluate("axe.run().then(({ violations }) => violations)")
  return findings
    .parse(result)
    .flatMap(({ id, impact, help, nodes }) =>
      nodes.map((node) => `${impact} ${id}: ${help}\n${node.html}\n${node.failureSummary}`),
    )
}
