// Numbers as people read them.

// A number of paths, which comes as digits, or null where it was not counted.
export function many(digits) {
  if (digits === null || digits === undefined) return "not counted";
  if (!/^\d+$/.test(digits)) return digits;
  if (digits.length <= 15) return digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return `${digits[0]}.${digits.slice(1, 3)} × 10^${digits.length - 1}`;
}

export const counted = (digits, one, more = `${one}s`) => `${many(digits)} ${digits === "1" ? one : more}`;

// Seconds as minutes, as somebody would say them.
export function minutes(seconds) {
  if (seconds < 60) return `${Math.round(seconds)}\u202fs`;
  const whole = Math.round(seconds / 60);
  return whole < 60 ? `${whole}\u202fmin` : `${Math.floor(whole / 60)}\u202fh ${whole % 60}\u202fmin`;
}
