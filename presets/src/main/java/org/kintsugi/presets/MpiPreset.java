// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.BuildEnabled;
import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;
import org.bytedeco.javacpp.tools.Logger;

/**
 * Maps every function of Open MPI's {@code mpi.h}, one to one, to {@code org.kintsugi.bindings.MPI}.
 *
 * <p>{@code guard.h} is included after {@code mpi.h}. A flavour whose calls must go through a guard in C redefines the functions
 * there as macros; the Java code is the same for both flavours, because JavaCPP parses only the version of ULFM, which is empty.
 *
 * <p>This class names no release of Open MPI: what differs between releases (predefined handles, functions) is read from
 * {@code mpi.h} ({@link MpiHeader}).
 */
@Properties(
    value = {
        @Platform(
            value = "linux",
            include = {"mpi.h", "guard.h"},
            link = "mpi@.40",
            extension = {"-ulfm", "-reinit"}),
        // On the fork libkintsugi has the guard's state.
        @Platform(value = "linux", link = {"mpi@.40", "kintsugi"}, extension = "-reinit")},
    target = "org.kintsugi.bindings",
    global = "org.kintsugi.bindings.MPI")
public class MpiPreset implements BuildEnabled, InfoMapper {

  /** Opaque pointers in Open MPI, {@code long} in Java. */
  private static final String[] HANDLES = {
      "MPI_Comm", "MPI_Datatype", "MPI_Errhandler", "MPI_File", "MPI_Group", "MPI_Info", "MPI_Op", "MPI_Request",
      "MPI_Message", "MPI_Win", "MPI_Session", "MPI_T_enum", "MPI_T_cvar_handle", "MPI_T_pvar_handle",
      "MPI_T_pvar_session"
  };

  /** Integer types of C, with the Java type of a value. A pointer to one is an address: {@code long}. */
  private static final String[][] INTEGERS = {
      {"int", "int"},
      {"MPI_Aint", "long"},
      {"MPI_Offset", "long"},
      {"MPI_Count", "long"},
      {"size_t", "long"},
  };

  /** Function types: Java passes the address of a C function, as {@code long}. */
  private static final String[] CALLBACKS = {
      "MPI_Datarep_extent_function", "MPI_Datarep_conversion_function", "MPI_Comm_errhandler_function",
      "MPI_Session_errhandler_function", "ompi_file_errhandler_function", "MPI_Win_errhandler_function",
      "MPI_User_function", "MPI_Comm_copy_attr_function", "MPI_Comm_delete_attr_function",
      "MPI_Type_copy_attr_function", "MPI_Type_delete_attr_function", "MPI_Win_copy_attr_function",
      "MPI_Win_delete_attr_function", "MPI_Grequest_query_function", "MPI_Grequest_free_function",
      "MPI_Grequest_cancel_function", "MPI_File_errhandler_function", "MPI_Copy_function", "MPI_Delete_function",
      "MPI_Comm_errhandler_fn", "MPI_File_errhandler_fn", "MPI_Win_errhandler_fn", "MPI_Handler_function"
  };

  private String includePath = "";

  /** For JavaCPP. */
  public MpiPreset() {}

  @Override
  public void init(Logger logger, java.util.Properties properties, String encoding) {
    includePath = properties.getProperty("platform.includepath", "");
  }

  @Override
  public void map(InfoMap infoMap) {
    // JavaCPP's parser does not run the preprocessor. These are Open MPI's macros for attributes of GCC.
    infoMap.put(new Info("OMPI_DECLSPEC", "OMPI_ALIGNED").cppTypes().annotations());
    infoMap.put(new Info("__opal_attribute_deprecated__", "__mpi_interface_deprecated__", "__mpi_interface_removed__",
        "__opal_attribute_deprecated_funcptr__").cppTypes().annotations().cppText(""));
    infoMap.put(new Info("defined(c_plusplus) || defined(__cplusplus)", "defined(__cplusplus)").define(false));
    // Functions that MPI 3.0 removed are not bound. Without this line JavaCPP takes both branches of the #if in the enumeration
    // of MPI_COMBINER_..., and the constants after it are too large.
    infoMap.put(new Info("(!OMPI_OMIT_MPI1_COMPAT_DECLS)").define(false));

    for (String handle : HANDLES) {
      infoMap.put(new Info(handle).cast().valueTypes("long"));
    }
    for (String[] integer : INTEGERS) {
      infoMap.put(new Info(integer[0]).cast().valueTypes(integer[1]).pointerTypes("long"));
    }
    infoMap.put(new Info("MPI_Fint").cast().valueTypes("int").pointerTypes("long").skip());
    for (String callback : CALLBACKS) {
      infoMap.put(new Info(callback).cast().valueTypes("long").skip());
    }
    infoMap.put(new Info("void").cast().valueTypes("void").pointerTypes("long"));
    infoMap.put(new Info("char").cast().valueTypes("byte").pointerTypes("long"));
    infoMap.put(new Info("MPI_Status", "MPI_F08_status", "ompi_status_public_t", "ompi_f08_status_public_t")
        .cast().valueTypes("long").skip());

    MpiHeader header = MpiHeader.read(includePath);
    header.addressConstants().forEach((name, type) -> constant(infoMap, name, type));
    for (String name : header.functionConstants()) {
      constant(infoMap, name, "void*");
    }
    infoMap.put(new Info(header.typeMacros()).skip());
    infoMap.put(new Info(header.removed()).skip());
    infoMap.put(new Info(header.undefinedMacros()).skip());
    // mpi.h only declares the structs that handles point to. The PMPI names are second names of the same functions.
    infoMap.put(new Info(header.opaqueStructs()).skip());
    infoMap.put(new Info(header.globalObjects()).skip());
    infoMap.put(new Info(header.profilingNames()).skip());
    argumentVectors(infoMap);
  }

  /** The functions with parameters of type {@code char **} or {@code char ***}, which are addresses too. */
  private static void argumentVectors(InfoMap infoMap) {
    declare(infoMap, "MPI_Init", "@Cast(\"int*\") long argc, @Cast(\"char***\") long argv");
    declare(infoMap, "MPI_Init_thread",
        "@Cast(\"int*\") long argc, @Cast(\"char***\") long argv, int required, @Cast(\"int*\") long provided");
    declare(infoMap, "MPI_Comm_spawn",
        "@Cast(\"const char*\") long command, @Cast(\"char**\") long argv, int maxprocs, @Cast(\"MPI_Info\") long info, "
            + "int root, @Cast(\"MPI_Comm\") long comm, @Cast(\"MPI_Comm*\") long intercomm, "
            + "@Cast(\"int*\") long array_of_errcodes");
    declare(infoMap, "MPI_Comm_spawn_multiple",
        "int count, @Cast(\"char**\") long array_of_commands, @Cast(\"char***\") long array_of_argv, "
            + "@Cast(\"const int*\") long array_of_maxprocs, @Cast(\"const MPI_Info*\") long array_of_info, int root, "
            + "@Cast(\"MPI_Comm\") long comm, @Cast(\"MPI_Comm*\") long intercomm, "
            + "@Cast(\"int*\") long array_of_errcodes");
    declare(infoMap, "MPI_Info_create_env",
        "int argc, @Cast(\"char**\") long argv, @Cast(\"MPI_Info*\") long info");
  }

  private static void constant(InfoMap infoMap, String name, String type) {
    infoMap.put(new Info(name).javaText(
        "public static native @MemberGetter @Cast(\"" + type + "\") long " + name + "();\n"
            + "public static final long " + name + " = " + name + "();"));
  }

  private static void declare(InfoMap infoMap, String function, String parameters) {
    infoMap.put(new Info(function).javaText("public static native int " + function + "(" + parameters + ");"));
  }
}
