/** Lists the actions of a message's buttons and menus, in their order. */
export function buttonsOf(message: { blocks: unknown }): string[] {
  const found = JSON.stringify(message.blocks).matchAll(/"action_id":"(\w+)"/g)
  return [...found].map((match) => match[1] ?? "")
}
