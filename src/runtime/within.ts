/**
 * What a promise gives, or after so many ms an error. It goes on meanwhile, and what becomes of it is
 * for whoever asks next.
 */
export async function within<T>(ms: number, asked: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms)
  })
  return Promise.race([asked, tooLate]).finally(() => clearTimeout(timer))
}
