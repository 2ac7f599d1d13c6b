/* SPDX-License-Identifier: Apache-2.0
 *
 * gelu: the GELU family of activation functions. Door 1, the C ABI.
 *
 *   f(x) = x * gate(alpha * x)        gate(z) + gate(-z) = 1
 *
 *   gelu        gate = Phi, the standard normal distribution function
 *   gelu_tanh   gate = (1 + tanh(sqrt(2/pi) (z + 0.044715 z^3))) / 2
 *   silu        gate = logistic; with alpha = 1.702 known as quick_gelu
 *   relu        gate = step, 1/2 at zero; alpha has no effect
 *
 * The contract
 *   Right.     Results are compared with the real number f(x) of the formula above at the given input and alpha.
 *              f16, bf16: correctly rounded (alpha 1 and 1.702). f32, f64: at most 1 ULP, through the negative tail,
 *              through subnormals, and at the roots of the derivatives. Forms that multiply or add inputs: at most
 *              0.51 ULP in f16 and bf16, of the exact product, or of f at the exact sum.
 *   Total.     At infinity the limits, with the sign from which they are approached; for alpha > 0 f(+inf) = +inf,
 *              f(-inf) = -0, f'(+inf) = 1, f'(-inf) = -0, f''(+-inf) = -0, but f'(-inf) = f''(+-inf) = +0 for relu;
 *              the other derivatives tend to zero. f(+-0) = +-0; below zero relu is -0, as the limit of the others
 *              is. A NaN gives the canonical quiet NaN. No finite input gives NaN or raises overflow, invalid or
 *              divide-by-zero, unless a factor makes the result itself too large: dy in backward, b in gated, alpha
 *              in f''.
 *   The same   One element's result depends on that element and the parameters alone: not on its position, its
 *   everywhere neighbours, the length, the alignment, the compiler, the instruction set, the host's rounding mode or
 *              FTZ/DAZ. The control word is the same after a call as before it.
 *
 * Every function returns a status; none aborts, prints, allocates or starts a thread. All are safe to call from any
 * number of threads. The only global state is the choice of target (instruction set).
 *
 * Aliasing: an output may be the very array of an input (in place), whichever of them, since every input of an element
 * is read before an output of it is written. Arrays that overlap in any other way are refused, two outputs always.
 * n = 0 does nothing, and then pointers may be null. Arrays need the alignment of their element type only.
 */
#ifndef GELU_GELU_H_
#define GELU_GELU_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(GELU_SHARED) && defined(_WIN32)
#ifdef GELU_BUILDING
#define GELU_API __declspec(dllexport)
#else
#define GELU_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define GELU_API __attribute__((visibility("default")))
#else
#define GELU_API
#endif

/* Enumerations hold any int, as in C, so that C++ may pass one that is not listed and get an error. In C++ members
 * that may be left out have their default, as zero is in C. */
#ifdef __cplusplus
#define GELU_INT : int
#define GELU_DEFAULT(value) = value
#else
#define GELU_INT
#define GELU_DEFAULT(value)
#endif

/* ---- What can be asked for ------------------------------------------------------------------------------------- */

/* Functions: gelu_fn_gelu, gelu_fn_gelu_tanh, gelu_fn_silu, gelu_fn_relu; ids from 0 to gelu_function_count() - 1. */
typedef enum gelu_function GELU_INT {
#define GELU_FUNCTION(name, Card, ...) gelu_fn_##name,
#include "gelu/family.def"
  gelu_fn_count_
} gelu_function;

/* Forms: X(name, inputs, outputs, meaning). Arrays are given in the order of the meaning's letters. */
#define GELU_FORMS(X)                                                                          \
  X(forward, 1, 1, "x -> y = f(x)")                                                            \
  X(derivative, 1, 1, "x -> y = f'(x)")                                                        \
  X(second_derivative, 1, 1, "x -> y = f''(x)")                                                \
  X(backward, 2, 1, "x, dy -> dx = dy * f'(x)")                                                \
  X(third_derivative, 1, 1, "x -> y = f'''(x)")                                                \
  X(alpha_derivative, 1, 1, "x -> y = df/dalpha = x^2 gate'(alpha x)")                         \
  X(alpha_backward, 2, 1, "x, dy -> dalpha = dy * df/dalpha")                                  \
  X(double_backward, 3, 2, "x, dy, ddx -> gx = dy * ddx * f''(x), gdy = ddx * f'(x)")          \
  X(value_and_derivative, 1, 2, "x -> y = f(x), y1 = f'(x)")                                   \
  X(value_and_two_derivatives, 1, 3, "x -> y = f(x), y1 = f'(x), y2 = f''(x)")                 \
  X(value_and_three_derivatives, 1, 4, "x -> y = f(x), y1 = f'(x), y2 = f''(x), y3 = f'''(x)") \
  X(bias, 2, 1, "x, b -> y = f(x + b)")                                                        \
  X(bias_backward, 3, 1, "x, b, dy -> dx = dy * f'(x + b)")                                    \
  X(gated, 2, 1, "a, b -> y = f(a) * b")                                                       \
  X(gated_backward, 3, 2, "a, b, dy -> da = b * dy * f'(a), db = dy * f(a)")

typedef enum gelu_form GELU_INT {
#define GELU_FORM(name, inputs, outputs, meaning) gelu_form_##name,
  GELU_FORMS(GELU_FORM)
#undef GELU_FORM
      gelu_form_count_
} gelu_form;

/* Element types: X(name, bytes, description). All arrays of a call are of one type, but in
 * gelu_apply_mixed. */
#define GELU_DTYPES(X)               \
  X(f64, 8, "IEEE binary64, double") \
  X(f32, 4, "IEEE binary32, float")  \
  X(f16, 2, "IEEE binary16")         \
  X(bf16, 2, "bfloat16, the upper half of binary32")

typedef enum gelu_dtype GELU_INT {
#define GELU_DTYPE(name, bytes, description) gelu_dtype_##name,
  GELU_DTYPES(GELU_DTYPE)
#undef GELU_DTYPE
      gelu_dtype_count_
} gelu_dtype;

/* Limits of a gated unit, y = f(min(a, gate_max)) * (max(-linear_max, min(b, linear_max)) + linear_offset). Limits are
 * positive, HUGE_VAL for none. A gradient is zero beyond a limit, and passes at it. */
typedef struct gelu_gate {
  double gate_max;
  double linear_max;
  double linear_offset;
} gelu_gate;

/* Dropout of results: each is divided by 1 - p, or, with probability p, replaced by +0. Element i of a call is kept if
 * word first + i of the generator says so, whatever the form: so backward drops what forward dropped, and a call may be
 * split. The words are those of Philox4x32-10 (Random123) with seed as its key, and index / 4 and stream as its
 * counter. p in [0, 1], to a multiple of 2^-32. */
typedef struct gelu_dropout {
  double p;
  uint64_t seed;
  uint64_t stream;
  uint64_t first;
} gelu_dropout;

/* Parameters. alpha: any finite number, taken exactly. clip: the value is limited to [-clip, clip] and the derivatives
 * are zero where the value lies beyond; positive, HUGE_VAL for none (gelu_10 of Hugging Face has clip = 10). ceiling:
 * the upper limit of the gate instead of 1, a finite number c that multiplies f and all its derivatives (df/dc = f). */
typedef struct gelu_params {
  double alpha;
  double clip;
  const gelu_gate* gate GELU_DEFAULT(nullptr); /* for gated and gated_backward; null for neither limit nor offset */
  const gelu_dropout* dropout GELU_DEFAULT(nullptr); /* null for none */
  const double* ceiling GELU_DEFAULT(nullptr);       /* null for 1 */
} gelu_params;

typedef enum gelu_status GELU_INT {
  GELU_OK = 0,
  GELU_ERROR_FUNCTION, /* no such function */
  GELU_ERROR_FORM,     /* no such form */
  GELU_ERROR_DTYPE,    /* no such element type */
  GELU_ERROR_ALPHA,    /* alpha is NaN or infinite */
  GELU_ERROR_CLIP,     /* clip is NaN, zero or negative */
  GELU_ERROR_NULL,     /* a null pointer with n > 0 */
  GELU_ERROR_SIZE,     /* n elements do not fit into the address space */
  GELU_ERROR_OVERLAP,  /* an output overlaps another array without being the same array */
  GELU_ERROR_TARGET,   /* no such target, or not on this machine (gelu_set_target, or GELU_TARGET in the environment) */
  GELU_ERROR_NAME,     /* no activation is known by this name */
  GELU_ERROR_AMBIGUOUS, /* the name means different functions */
  GELU_ERROR_SHAPE,     /* more than GELU_MAX_RANK dimensions, or a null shape with some */
  GELU_ERROR_GATE,      /* a limit of gelu_gate is NaN, zero or negative, or its offset NaN or infinite */
  GELU_ERROR_DROPOUT,   /* p of gelu_dropout is NaN, or not in [0, 1]; or any dropout for gelu_apply_strided */
  GELU_ERROR_CEILING    /* ceiling is NaN or infinite */
} gelu_status;

/* One sentence for a status: what was wrong and what to do. Never null. */
GELU_API const char* gelu_status_message(gelu_status status);

/* ---- Evaluation ------------------------------------------------------------------------------------------------ */

/* The general call: in and out hold as many pointers as the form reads and writes arrays, each of n elements.
 * params may be null: alpha = 1, and nothing else asked for. */
GELU_API gelu_status gelu_apply(gelu_function function, gelu_form form, gelu_dtype dtype, const gelu_params* params,
                                const void* const* in, void* const* out, size_t n);

/* What gelu_apply would return. Evaluates nothing: for callers that split arrays among threads of their own, and
 * have to know before the first part is written that none will fail. */
GELU_API gelu_status gelu_check(gelu_function function, gelu_form form, gelu_dtype dtype, const gelu_params* params,
                                const void* const* in, void* const* out, size_t n);

/* gelu_apply with an element type for every array: gradients in f32 of inputs in bf16, say, or results in another type
 * than the inputs. Results are rounded once, to their own type, within the bounds stated for it; those of f32, from
 * inputs none of which is f64, within that of f32. An output may be the very array of an input of the same size of
 * element. */
GELU_API gelu_status gelu_apply_mixed(gelu_function function, gelu_form form, const gelu_dtype* in_types,
                                      const gelu_dtype* out_types, const gelu_params* params, const void* const* in,
                                      void* const* out, size_t n);

/* What gelu_apply_mixed would return. */
GELU_API gelu_status gelu_check_mixed(gelu_function function, gelu_form form, const gelu_dtype* in_types,
                                      const gelu_dtype* out_types, const gelu_params* params, const void* const* in,
                                      void* const* out, size_t n);

/* gelu_apply for arrays of any layout: element (i0, i1, ...) of array k lies at in[k] + i0 in_strides[k][0] + ..., in
 * elements. Strides may be negative, and of inputs zero; null strides mean C order, without gaps. All arrays have the
 * given shape; rank 0 is one element. Every element of an output is a place of its own, and lies in no other array but
 * for an input of the same address and strides (in place); so the halves of one row may be input and output. Elements
 * of strided arrays have no index that is theirs in every layout, and so no dropout: with one, GELU_ERROR_DROPOUT. */
#define GELU_MAX_RANK 64
GELU_API gelu_status gelu_apply_strided(gelu_function function, gelu_form form, gelu_dtype dtype,
                                        const gelu_params* params, size_t rank, const size_t* shape,
                                        const void* const* in, const ptrdiff_t* const* in_strides, void* const* out,
                                        const ptrdiff_t* const* out_strides);

/* y[i] = f(x[i]) */
GELU_API gelu_status gelu_forward(gelu_function function, gelu_dtype dtype, double alpha, const void* x, void* y,
                                  size_t n);
/* y[i] = f'(x[i]) */
GELU_API gelu_status gelu_derivative(gelu_function function, gelu_dtype dtype, double alpha, const void* x, void* y,
                                     size_t n);
/* y[i] = f''(x[i]) */
GELU_API gelu_status gelu_second_derivative(gelu_function function, gelu_dtype dtype, double alpha, const void* x,
                                            void* y, size_t n);
/* dx[i] = dy[i] * f'(x[i]), one rounding */
GELU_API gelu_status gelu_backward(gelu_function function, gelu_dtype dtype, double alpha, const void* x,
                                   const void* dy, void* dx, size_t n);

/* sum[j] = x[0][j] + x[1][j] + ... for rows of `columns` elements, at most 2^31 of them: the gradient of a bias from
 * the dx of bias_backward, that of an alpha (of the tensor with columns = 1, of a channel) from the dalpha of
 * alpha_backward. Exact, rounded once, to sum_type: the same bits in whatever order rows come. */
GELU_API gelu_status gelu_sum_rows(gelu_dtype dtype, const void* x, size_t rows, size_t columns, gelu_dtype sum_type,
                                   void* sum);

/* What the family starts from, a gate that is open or shut: y[i] = x[i] with probability gate(alpha x[i]), met to
 * 2^-32, otherwise +0. The mean of y is f(x). Words are those of gelu_dropout, whose p means nothing here. */
GELU_API gelu_status gelu_stochastic(gelu_function function, gelu_dtype dtype, double alpha, const gelu_dropout* random,
                                     const void* x, void* y, size_t n);
/* y[i] = max(0, x[i] + e[i]), rounded once, e[i] standard normal, of a size up to 6.34. Its mean is x Phi(x) + phi(x),
 * not gelu. */
GELU_API gelu_status gelu_noisy_relu(gelu_dtype dtype, const gelu_dropout* random, const void* x, void* y, size_t n);

/* ---- Description ----------------------------------------------------------------------------------------------- */

GELU_API const char* gelu_version(void); /* "major.minor.patch" */

/* Counts, and names by id; a null pointer for an id out of range. */
GELU_API size_t gelu_function_count(void);
GELU_API const char* gelu_function_name(gelu_function function);
GELU_API const char* gelu_function_formula(gelu_function function);
GELU_API const char* gelu_form_name(gelu_form form);
GELU_API const char* gelu_dtype_name(gelu_dtype dtype);
GELU_API size_t gelu_form_inputs(gelu_form form);
GELU_API size_t gelu_form_outputs(gelu_form form);
GELU_API size_t gelu_dtype_size(gelu_dtype dtype); /* bytes of one element; 0 for an id out of range */

/* ---- Names ----------------------------------------------------------------------------------------------------- */

/* What a name of some framework means. */
typedef struct gelu_activation {
  gelu_function function;
  gelu_params params;
} gelu_activation;

/* Looks up an activation by the name that a framework gives it ("gelu_pytorch_tanh", "swish",
 * "Gelu(approximate=tanh)", "quick_gelu", "silu(alpha=1.5)", ...). framework is "torch", "jax", "huggingface", "onnx",
 * ..., null for any, "" for none (this library's own names), and may lead the name ("jax:nn.gelu(approximate=True)").
 * A name that could mean different functions is ambiguous; with a null framework this library's own names never are.
 * Case, spaces, '_' and '-' do not matter. On an error, message (if not null) receives a sentence of at most capacity
 * - 1 characters which lists what could be meant; else it is "". */
GELU_API gelu_status gelu_resolve(const char* name, const char* framework, gelu_activation* activation, char* message,
                                  size_t capacity);

/* Gated units by name: what is activated, and with which limits; activation->params.gate points to *gate.
 *   geglu, geglu_tanh, geglu_quick (alpha 1.702), swiglu, reglu
 *   swiglu_oai       silu, alpha 1.702, a <= 7, |b| <= 7, offset 1 (gpt-oss)
 *   swiglu_clamped   silu, a <= 7, |b| <= 7 (DeepSeek-V4)
 * Which half of a row is a, is the caller's to say: frameworks disagree. */
GELU_API gelu_status gelu_preset(const char* name, gelu_activation* activation, gelu_gate* gate);
GELU_API size_t gelu_preset_count(void);
GELU_API const char* gelu_preset_name(size_t index);

/* The whole registry, entry by entry. framework is "" for names of this library. */
typedef struct gelu_name {
  const char* framework;
  const char* name;
  gelu_activation activation;
} gelu_name;
GELU_API size_t gelu_name_count(void);
GELU_API gelu_status gelu_name_at(size_t index, gelu_name* name);

/* ---- Targets --------------------------------------------------------------------------------------------------- */

/* Instruction sets for which this library holds code, best first; the last, "ONE_LANE", runs everywhere. */
GELU_API size_t gelu_target_count(void);
GELU_API const char* gelu_target_name(size_t index);
GELU_API int gelu_target_available(size_t index); /* 1 if this machine can run it */

/* The target in use. Chosen at the first call: the best available, or the one named by the environment variable
 * GELU_TARGET; null if that one is unknown or not available (then every evaluation gives GELU_ERROR_TARGET). */
GELU_API const char* gelu_target(void);
/* Forces a target by name for the whole process; null means the best available. */
GELU_API gelu_status gelu_set_target(const char* name);

#ifdef __cplusplus
}
#endif

#endif /* GELU_GELU_H_ */
