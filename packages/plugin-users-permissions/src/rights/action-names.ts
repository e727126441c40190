/**
 * Whether a text has the form of an action: `api::article.article.find`. Parts that every JavaScript object inherits
 * (`constructor`, `__proto__`) are refused: no content-type or controller can have such a name (S-25).
 */
export const isActionName = (text: string): boolean =>
  /^(api|plugin)::[\w-]+\.[\w-]+\.\w+$/.test(text) &&
  text.split('.').every((part) => !(part in Object.prototype))
