/* The root holds sources, of which npm would pack none: the package is built apart from them. */
console.error('the package is built beside the sources: npm run build && npm pack ./dist/package');
process.exitCode = 1;
