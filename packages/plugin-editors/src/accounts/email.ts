const emailForm = /^[^\s@<>(),;:"[\]\\]{1,64}@[^\s@<>(),;:"[\]\\]+\.[^\s@.<>(),;:"[\]\\]+$/

/** Without control and invisible characters: two addresses that look the same would be those of two people. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text) && emailForm.test(text)
