const emailForm = /^[^\s@<>(),;:"[\]\\]{1,64}@[^\s@<>(),;:"[\]\\]+\.[^\s@.<>(),;:"[\]\\]+$/

export const isEmail = (text: string): boolean => text.length <= 254 && emailForm.test(text)
