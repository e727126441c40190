/**
 * The attributes of a button that can do nothing for now. It says so and ignores presses, and stays where the keyboard is: `disabled`
 * would take the focus away from a button that its own press puts to rest, and leave it nowhere.
 */
export const idleIf = (isIdle: boolean, onClick: () => unknown) => ({
  'aria-disabled': isIdle || undefined,
  onClick: isIdle ? undefined : () => void onClick(),
})
