/** How a page scrolls to something: smoothly, unless the person wants less motion (CSS cannot say it for scrollIntoView). */
export function scrollBehavior(): 'smooth' | 'instant' {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
}
