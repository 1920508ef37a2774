export const text = (content: string) => ({ type: "plain_text", text: content })
export const mrkdwn = (content: string) => ({ type: "mrkdwn", text: content })
