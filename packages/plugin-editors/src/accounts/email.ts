/** The stored form of an email address: compatible forms are equal (NFKC), and case is ignored. */
export const foldEmail = (email: string): string => email.normalize('NFKC').trim().toLowerCase()

const emailForm = /^[^\s@<>(),;:"[\]\\]{1,64}@[^\s@<>(),;:"[\]\\]+\.[^\s@.<>(),;:"[\]\\]+$/

export const isEmail = (text: string): boolean => text.length <= 254 && emailForm.test(text)
