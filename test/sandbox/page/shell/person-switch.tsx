import type { User } from "../../slack/index.ts"
import { usePage } from "../model/context.ts"
import { channelsOf, people } from "../model/selectors.ts"
import type { Place } from "../model/view-state.ts"
import { Avatar } from "./avatar.tsx"

const ROLES: Readonly<Record<User["role"], string>> = {
  member: "member",
  admin: "admin",
  guest: "guest",
  external: "other workspace",
  bot: "app",
}

export function PersonSwitch() {
  const { model, view } = usePage()
  const actAs = useActAs()
  return (
    <div class="person-switch">
      <span class="person-label" id="acting-as">
        Acting as
      </span>
      <fieldset class="people" aria-labelledby="acting-as">
        {people(model).map((user) => (
          <button
            key={user.id}
            type="button"
            class="person"
            aria-pressed={user.id === view.me}
            title={`${user.realName}, ${ROLES[user.role]}`}
            onClick={() => actAs(user.id)}
          >
            <Avatar user={user} small />
            <span>{user.realName}</span>
            <small>{ROLES[user.role]}</small>
          </button>
        ))}
      </fieldset>
    </div>
  )
}

/** Switches to another person; stays in the channel if that person is a member, too. */
function useActAs() {
  const { model, view, dispatch } = usePage()
  return (user: string) => {
    const theirs = channelsOf(model, user)
    const { place } = view
    const stays = place.kind === "home" || theirs.some((channel) => channel.id === place.id)
    const first: Place = { kind: "channel", id: theirs[0]?.id ?? "" }
    dispatch({ do: "act_as", user, place: stays ? place : first })
  }
}
