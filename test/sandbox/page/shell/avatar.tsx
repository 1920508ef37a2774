import type { User } from "../../slack/index.ts"

export function Avatar({ user, small = false }: { user: User | undefined; small?: boolean }) {
  const size = small ? "avatar avatar-small" : "avatar"
  if (user?.role === "bot") {
    return (
      <span class={`${size} avatar-bot`} aria-hidden="true">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path class="leaf" d="M5 3h7l3.5 3.5V17H5z" />
          <path class="corner" d="M12 3v3.5h3.5z" />
          <path class="lines" d="M7.5 10h5.5M7.5 13h3.5" />
        </svg>
      </span>
    )
  }
  const name = user?.realName ?? "Slack"
  return (
    <span class={`${size} avatar-${user?.name ?? "slack"}`} aria-hidden="true">
      {name[0]}
    </span>
  )
}
