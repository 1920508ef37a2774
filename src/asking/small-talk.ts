/** Texts that don't ask for a docs change, in lowercase, without punctuation or emoji. */
export const SMALL_TALK = {
  thanks:
    "thanks, thank you, thank you so much, thanks a lot, many thanks, ok thanks, thx, ty, cheers, merci, danke, gracias, grazie, obrigado, obrigada, спасибо, 谢谢, ありがとう, ありがとうございます, 감사합니다",
  greeting:
    "hi, hi there, hello, hello there, hey, hey there, good morning, good afternoon, good evening, hola, bonjour, hallo, привет, 你好, こんにちは, test, ping",
  never_mind: "never mind, nevermind, nvm, forget it, forget about it, no thanks, no thank you",
  nod: "ok, okay, great, nice, perfect, cool, awesome, lgtm, looks good, got it",
}

export type SmallTalk = keyof typeof SMALL_TALK

/** Questions about the bot itself, in the same form; a greeting may precede them. */
export const QUESTIONS = [
  "help me, help please, please help, i need help, can you help, can you help me, how can you help",
  "how can you help me, what can you do, what can you do for me, what do you do, what can i ask",
  "what can i ask you, what can i do, who are you, what are you, are you a bot, are you an ai",
  "how do you work, how does this work, how do i use this, how do i use you, how can i use this",
  "how do i ask, what commands do you have, what commands are there, commands, usage",
]
