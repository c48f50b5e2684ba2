// Loads the scripts of a lab that is too large for every page: once, when the lab comes near or when the address names it.

import { element } from "./dom.js";

const NEAR = "800px";

/**
 * @param {Record<string, string[]>} scripts the addresses of the scripts in their order, by the name of the lab's folder
 */
export function loadNear(scripts) {
  for (const [lab, sources] of Object.entries(scripts)) {
    const places = [...document.querySelectorAll(`.attn-lab[data-lab="${lab}"]`)];
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && load(), {
      rootMargin: NEAR,
    });
    const load = () => {
      observer.disconnect();
      const inOrder = { async: false };
      document.head.append(...sources.map((src) => Object.assign(element("script", { src }), inOrder)));
    };
    if (places.some(({ id }) => location.hash.startsWith(`#${id}?`))) load();
    else for (const place of places) observer.observe(place);
  }
}
