import type { Locator, Page } from "playwright-core"

/** The channel or Home tab that is open. */
export function conversation(page: Page): Locator {
  return page.getByRole("region", { name: "Conversation" })
}

/** Types a line into the channel's composer and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  const composer = conversation(page).getByRole("textbox", { name: /^Message / })
  await composer.fill(text)
  await composer.press("Enter")
}

/** Types a line into the open thread and sends it. */
export async function reply(page: Page, text: string): Promise<void> {
  const composer = page.getByRole("textbox", { name: "Reply…" })
  await composer.fill(text)
  await composer.press("Enter")
}

export async function actAs(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^${name}`) }).click()
}

export async function goTo(page: Page, channel: string): Promise<void> {
  const places = page.getByRole("navigation", { name: "Channels" })
  await places.getByRole("button", { name: new RegExp(`(^|\\s)${channel}`) }).click()
}

/** The messages of the channel that say this, the latest last. */
export function messages(page: Page, says: string | RegExp): Locator {
  return conversation(page).getByRole("article").filter({ hasText: says })
}

/** The messages of the open thread that say this. */
export function replies(page: Page, says: string | RegExp): Locator {
  return page.getByRole("log", { name: "Thread" }).getByRole("article").filter({ hasText: says })
}
