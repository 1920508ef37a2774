import { useEffect, useState } from "preact/hooks"

const KEY = "docs-agent-sandbox.draft"

export interface DraftPlace {
  readonly me: string
  readonly channel: string
  readonly thread: string | undefined
}

export function useDraft({ me, channel, thread }: DraftPlace) {
  const key = [KEY, me, channel, ...(thread ? [thread] : [])].join(" ")
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? "")
  useEffect(() => keep(key, text), [key, text])
  /** Restores a line that couldn't be sent, unless something new was typed meanwhile. */
  const giveBack = (line: string) => {
    setText((now) => now || line)
    // The person may have left this channel by now.
    if (!sessionStorage.getItem(key)) keep(key, line)
  }
  return { text, setText, giveBack }
}

function keep(key: string, text: string): void {
  if (text === "") sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, text)
}
