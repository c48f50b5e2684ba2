// What a setting may be, beyond what Python tells a page: an address may have any list and any number. Null is checked by the page.

const isWhole = (/** @type {any} */ one) => Number.isInteger(one) && one >= 0;

/** A whole number from 0 on, or nothing. @param {any} value */
export const whole = (value) => value === null || isWhole(value);

/** So many whole numbers from 0 on, or nothing. @param {number} count @returns {(value: any) => boolean} */
export const wholes = (count) => (value) =>
  value === null || (Array.isArray(value) && value.length === count && value.every(isWhole));
