// Additions to Sphinx's search, on its page. A pasted error message finds the heading whose words it has, whatever its numbers are;
// Sphinx would look for every word of it. A result that leads into a page names the section.
{
  const found = Search._performSearch;
  const words = (text) => splitQuery(text.toLowerCase()).filter((word) => word.length > 1 && !/^\d+(x\d+)*$/.test(word));

  /** @param {string} text */
  const asHTML = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

  /** All headings below the titles of the pages, with their places. */
  const headings = () =>
    Object.entries(Search._index.alltitles).flatMap(([title, places]) =>
      places.flatMap(([page, id]) => (id ? [{ title, page, id, words: words(title) }] : [])),
    );

  Search._performSearch = (query, terms, excluded, highlighted, ...rest) => {
    const { docnames, filenames, titles } = Search._index;
    const asked = new Set(words(query));
    const all = headings();
    const quoted = all
      .filter((heading) => heading.words.length > 2 && heading.words.every((word) => asked.has(word)))
      .sort((a, b) => a.words.length - b.words.length) // the last result is shown first
      .map(({ title, page, id }) => [docnames[page], title, `#${id}`, null, Number.MAX_SAFE_INTEGER, filenames[page]]);
    const results = found(query, terms, excluded, highlighted, ...rest);
    // One letter would be highlighted in every word, and a message on every line of the page of messages.
    const marked = quoted.length ? [] : [...highlighted].filter((term) => term.length > 1);
    attnKept.set("sphinx_highlight_terms", marked.join(" "));

    // A page is no result of its own if one of its sections is.
    const sections = [...results, ...quoted].filter(([, , anchor]) => anchor);
    const seen = new Set([...sections.map(([name]) => name), ...quoted.map(([name, , anchor]) => name + anchor)]);
    const others = results.filter(([name, , anchor]) => !seen.has(name + anchor));
    return [...others, ...quoted].map(([name, title, anchor, ...more]) => {
      const place = all.find(({ page, id }) => docnames[page] === name && `#${id}` === anchor);
      return [name, place ? `${titles[place.page]} › ${asHTML(place.title)}` : title, anchor, ...more];
    });
  };
}
