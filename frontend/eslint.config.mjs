import js from "@eslint/js";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const sizes = {
  "max-lines": ["error", { max: 400 }],
  "max-lines-per-function": ["error", { max: 60 }],
  complexity: ["error", 8],
};

export default tseslint.config(
  { ignores: ["**/dist", "**/node_modules", "**/src/islands.gen.ts", "**/src/api/schema.d.ts"] },
  { linterOptions: { noInlineConfig: true } },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [
      ...tseslint.configs.strictTypeChecked,
      ...tseslint.configs.stylisticTypeChecked,
      jsxA11y.flatConfigs.strict,
    ],
    languageOptions: {
      parserOptions: {
        project: ["./tsconfig.json", "../tests/e2e/tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      ...sizes,
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      eqeqeq: "error",
      "no-console": ["error", { allow: ["warn", "error"] }],
    },
  },
  { files: ["**/src/**/*.{ts,tsx}"], extends: [reactHooks.configs.flat.recommended] },
  {
    files: ["**/tests/**"],
    rules: { "max-lines-per-function": "off" },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: {
      globals: { Buffer: "readonly", console: "readonly", document: "readonly", process: "readonly" },
    },
    rules: sizes,
  },
);
