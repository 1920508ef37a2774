import type { User } from "../../slack/index.ts"

export function Avatar({ user, small = false }: { user: User | undefined; small?: boolean }) {
  const size = small ? "avatar avatar-small" : "avatar"
  const name = user?.realName ?? "Slack"
  return (
    <span class={`${size} avatar-${user?.name ?? "slack"}`} aria-hidden="true">
      {user?.role === "bot" ? null : name[0]}
    </span>
  )
}
