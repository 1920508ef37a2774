import { useMemo } from "preact/hooks"
import type { Surface } from "../blocks/surface.ts"
import { act } from "../model/api.ts"

export function useMessageSurface(me: string, channel: string, ts: string): Surface {
  return useMemo(() => {
    const target = { channel, ts }
    return {
      name: "message",
      async press(place, value) {
        await act("click", { as: me, target, ...place, ...(value === undefined ? {} : { value }) })
      },
      async choose(place, option) {
        await act("select", { as: me, target, ...place, option: plain(option) })
      },
      filled: () => undefined,
      fill: () => {},
      error: () => undefined,
    }
  }, [me, channel, ts])
}

/** Lists as the API takes them. */
export function plain(option: string | number | readonly string[]): string | number | string[] {
  return typeof option === "object" ? [...option] : option
}
