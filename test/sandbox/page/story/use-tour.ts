import { act, wordsOf } from "../model/api.ts"
import { usePage } from "../model/context.ts"

/** Plays the tour in this and every other open page, or ends it. */
export function useTour() {
  const { notify } = usePage()
  const tell = (play: boolean) => () => {
    act("tour", { play }).catch((error: unknown) => notify(wordsOf(error)))
  }
  return { playTour: tell(true), endTour: tell(false) }
}
