/** A link that may become a button: only http(s) ones do. */
export function safeUrl(link: string | undefined): string | undefined {
  if (!link || link.length > 3000 || !URL.canParse(link)) return undefined
  const url = new URL(link)
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : undefined
}

const SHAPES: [RegExp, string][] = [
  [/^\/([^/]+\/[^/]+)\/pull\/(\d+)\/?$/, "#"],
  [/^\/(.+?)\/-\/merge_requests\/(\d+)\/?$/, "!"],
  [/^\/([^/]+\/[^/]+)\/pull-requests\/(\d+)\/?$/, "#"],
  [/^\/([^/]+\/[^/]+)\/pulls\/(\d+)\/?$/, "#"],
]

/** How people of GitHub, GitLab, Bitbucket and Gitea call this pull request; else its host. */
export function pullRequestLabel(link: string): string {
  const { pathname, host } = new URL(link)
  for (const [shape, sign] of SHAPES) {
    const match = shape.exec(pathname)
    if (match) return `${match[1]}${sign}${match[2]}`
  }
  return host
}
